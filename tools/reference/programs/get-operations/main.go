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
		latest := neon.GetOperationsOutput(ctx, neon.GetOperationsOutputArgs{
			ProjectId: shop.ID(),
			Limit:     pulumi.Int(20),
		})
		ctx.Export("operations", latest.Operations())
		return nil
	})
}
