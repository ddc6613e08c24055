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
		signIn, err := neon.NewNeonAuth(ctx, "signIn", &neon.NeonAuthArgs{
			ProjectId: shop.ID(),
			BranchId:  shop.DefaultBranchId,
			Name:      pulumi.String("Shop"),
			EmailAndPassword: &neon.NeonAuthEmailAndPasswordArgs{
				Enabled:                  pulumi.Bool(true),
				RequireEmailVerification: pulumi.Bool(true),
			},
			AllowLocalhost: pulumi.Bool(false),
		})
		if err != nil {
			return err
		}
		ctx.Export("baseUrl", signIn.BaseUrl)
		return nil
	})
}
