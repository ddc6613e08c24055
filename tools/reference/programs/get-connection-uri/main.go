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
		connection := neon.GetConnectionUriOutput(ctx, neon.GetConnectionUriOutputArgs{
			ProjectId:    shop.ID(),
			BranchId:     shop.DefaultBranchId,
			RoleName:     pulumi.String("neondb_owner"),
			DatabaseName: pulumi.String("neondb"),
			Pooled:       pulumi.Bool(true),
		})
		ctx.Export("databaseUrl", connection.Uri())
		return nil
	})
}
