package main

import (
	"github.com/neon-pulumi/neon-pulumi/sdk/go/neon"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		ci, err := neon.NewApiKey(ctx, "ci", &neon.ApiKeyArgs{
			RotateTrigger: pulumi.String("2030-01"),
		})
		if err != nil {
			return err
		}
		ctx.Export("ciKey", ci.Key)
		return nil
	})
}
