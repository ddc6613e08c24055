package main

import (
	"github.com/neon-pulumi/neon-pulumi/sdk/go/neon"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		deploy, err := neon.NewOrganizationApiKey(ctx, "deploy", &neon.OrganizationApiKeyArgs{
			OrgId:         pulumi.String("org-quiet-river-302709"),
			RotateTrigger: pulumi.String("2030-01"),
		})
		if err != nil {
			return err
		}
		ctx.Export("deployKey", deploy.Key)
		return nil
	})
}
