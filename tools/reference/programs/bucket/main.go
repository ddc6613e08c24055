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
		avatars, err := neon.NewBucket(ctx, "avatars", &neon.BucketArgs{
			ProjectId:   shop.ID(),
			BranchId:    shop.DefaultBranchId,
			AccessLevel: pulumi.String("public_read"),
		})
		if err != nil {
			return err
		}
		ctx.Export("bucket", avatars.Name)
		return nil
	})
}
