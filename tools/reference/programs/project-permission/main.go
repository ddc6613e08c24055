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
		_, err = neon.NewProjectPermission(ctx, "auditor", &neon.ProjectPermissionArgs{
			ProjectId: shop.ID(),
			Email:     pulumi.String("auditor@example.com"),
		})
		if err != nil {
			return err
		}
		return nil
	})
}
