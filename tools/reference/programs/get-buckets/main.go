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
		found := neon.GetBucketsOutput(ctx, neon.GetBucketsOutputArgs{
			ProjectId: shop.ID(),
			BranchId:  shop.DefaultBranchId,
		})
		ctx.Export("buckets", found.Buckets())
		return nil
	})
}
