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
		reports, err := neon.NewEndpoint(ctx, "reports", &neon.EndpointArgs{
			ProjectId:             shop.ID(),
			BranchId:              shop.DefaultBranchId,
			Type:                  pulumi.String("read_only"),
			AutoscalingLimitMaxCu: pulumi.Float64(1),
		})
		if err != nil {
			return err
		}
		ctx.Export("reportsHost", reports.Host)
		return nil
	})
}
