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
		monitor, err := neon.NewProjectApiKey(ctx, "monitor", &neon.ProjectApiKeyArgs{
			ProjectId: shop.ID(),
			Name:      pulumi.String("monitoring"),
		})
		if err != nil {
			return err
		}
		ctx.Export("monitorKey", monitor.Key)
		return nil
	})
}
