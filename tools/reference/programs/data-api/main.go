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
		api, err := neon.NewDataApi(ctx, "api", &neon.DataApiArgs{
			ProjectId:        shop.ID(),
			BranchId:         shop.DefaultBranchId,
			DatabaseName:     pulumi.String("neondb"),
			AuthProvider:     pulumi.String("external"),
			JwksUrl:          pulumi.String("https://sign-in.example.com/.well-known/jwks.json"),
			AddDefaultGrants: pulumi.Bool(true),
			Settings: &neon.DataApiSettingsArgs{
				DbMaxRows: pulumi.Int(1000),
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("apiUrl", api.Url)
		return nil
	})
}
