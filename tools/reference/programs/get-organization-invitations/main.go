package main

import (
	"github.com/neon-pulumi/neon-pulumi/sdk/go/neon"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		found := neon.GetOrganizationInvitationsOutput(ctx, neon.GetOrganizationInvitationsOutputArgs{})
		ctx.Export("invitations", found.Invitations())
		return nil
	})
}
