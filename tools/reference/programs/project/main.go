package main

import (
	"github.com/neon-pulumi/neon-pulumi/sdk/go/neon"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		shop, err := neon.NewProject(ctx, "shop", &neon.ProjectArgs{
			RegionId:                pulumi.String("aws-eu-central-1"),
			PgVersion:               pulumi.Int(17),
			HistoryRetentionSeconds: pulumi.Int(86400),
			DefaultEndpointSettings: &neon.ProjectDefaultEndpointSettingsArgs{
				AutoscalingLimitMinCu: pulumi.Float64(0.25),
				AutoscalingLimitMaxCu: pulumi.Float64(2),
			},
		}, pulumi.Protect(true))
		if err != nil {
			return err
		}
		ctx.Export("connectionUri", shop.ConnectionUri)
		return nil
	})
}
