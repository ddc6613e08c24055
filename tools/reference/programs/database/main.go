package main

import (
	"github.com/neon-pulumi/neon-pulumi/sdk/go/neon"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		shop, err := neon.NewProject(ctx, "shop", nil)
		if err != nil {
			return err
		}
		app, err := neon.NewRole(ctx, "app", &neon.RoleArgs{
			ProjectId: shop.ID(),
			BranchId:  shop.DefaultBranchId,
		})
		if err != nil {
			return err
		}
		orders, err := neon.NewDatabase(ctx, "orders", &neon.DatabaseArgs{
			ProjectId: shop.ID(),
			BranchId:  shop.DefaultBranchId,
			OwnerName: app.Name,
		})
		if err != nil {
			return err
		}
		ctx.Export("database", orders.Name)
		return nil
	})
}
