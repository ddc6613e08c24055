package main

import (
	"github.com/neon-pulumi/neon-pulumi/sdk/go/neon"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		shop, err := neon.NewProject(ctx, "shop", &neon.ProjectArgs{RegionId: pulumi.String("aws-eu-central-1")})
		if err != nil {
			return err
		}
		staging, err := neon.NewBranch(ctx, "staging", &neon.BranchArgs{
			ProjectId: shop.ID(),
			Compute:   &neon.BranchComputeArgs{},
		})
		if err != nil {
			return err
		}
		ctx.Export("databaseUrl", staging.ConnectionUri) // a secret
		return nil
	})
}
