package main

import (
	"github.com/neon-pulumi/neon-pulumi/sdk/go/neon"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := neon.NewOrganizationMember(ctx, "ann", &neon.OrganizationMemberArgs{
			Email: pulumi.String("ann@example.com"),
			Role:  pulumi.String("admin"),
		})
		if err != nil {
			return err
		}
		return nil
	})
}
