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
		_, err = neon.NewJwksUrl(ctx, "signIn", &neon.JwksUrlArgs{
			ProjectId:    shop.ID(),
			JwksUrl:      pulumi.String("https://sign-in.example.com/.well-known/jwks.json"),
			ProviderName: pulumi.String("Example"),
		})
		if err != nil {
			return err
		}
		return nil
	})
}
