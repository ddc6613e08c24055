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
		preview, err := neon.NewBranch(ctx, "preview", &neon.BranchArgs{
			ProjectId: shop.ID(),
			Compute: &neon.BranchComputeArgs{
				AutoscalingLimitMinCu: pulumi.Float64(0.25),
				AutoscalingLimitMaxCu: pulumi.Float64(2),
			},
			Annotations: pulumi.StringMap{
				"owner": pulumi.String("team-orders"),
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("url", preview.ConnectionUri)
		return nil
	})
}
