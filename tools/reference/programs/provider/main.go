package main

import (
	"github.com/neon-pulumi/neon-pulumi/sdk/go/neon"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")
		otherApiKey := cfg.RequireSecret("otherApiKey")
		other, err := neon.NewProvider(ctx, "other", &neon.ProviderArgs{
			ApiKey: otherApiKey,
		})
		if err != nil {
			return err
		}
		_, err = neon.NewProject(ctx, "theirs", nil, pulumi.Provider(other))
		if err != nil {
			return err
		}
		return nil
	})
}
