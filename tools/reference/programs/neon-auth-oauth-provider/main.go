package main

import (
	"github.com/neon-pulumi/neon-pulumi/sdk/go/neon"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")
		githubClientSecret := cfg.RequireSecret("githubClientSecret")
		shop, err := neon.NewProject(ctx, "shop", nil)
		if err != nil {
			return err
		}
		signIn, err := neon.NewNeonAuth(ctx, "signIn", &neon.NeonAuthArgs{
			ProjectId: shop.ID(),
			BranchId:  shop.DefaultBranchId,
		})
		if err != nil {
			return err
		}
		_, err = neon.NewNeonAuthOauthProvider(ctx, "github", &neon.NeonAuthOauthProviderArgs{
			ProjectId:    shop.ID(),
			BranchId:     signIn.BranchId,
			ProviderId:   pulumi.String("github"),
			ClientId:     pulumi.String("Iv1.8a61f9b3a7aba766"),
			ClientSecret: githubClientSecret,
		})
		if err != nil {
			return err
		}
		return nil
	})
}
