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
		found := neon.GetAdvisorIssuesOutput(ctx, neon.GetAdvisorIssuesOutputArgs{
			ProjectId: shop.ID(),
			Category:  pulumi.String("SECURITY"),
		})
		ctx.Export("issues", found.Issues())
		return nil
	})
}
