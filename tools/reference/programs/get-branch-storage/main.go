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
		storage := neon.GetBranchStorageOutput(ctx, neon.GetBranchStorageOutputArgs{
			ProjectId: shop.ID(),
			BranchId:  shop.DefaultBranchId,
		})
		ctx.Export("endpoint", storage.S3Endpoint())
		return nil
	})
}
