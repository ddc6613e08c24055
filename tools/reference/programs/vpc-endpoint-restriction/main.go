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
		office, err := neon.NewVpcEndpointAssignment(ctx, "office", &neon.VpcEndpointAssignmentArgs{
			RegionId:      pulumi.String("aws-eu-central-1"),
			VpcEndpointId: pulumi.String("vpce-1234567890abcdef0"),
			Label:         pulumi.String("office"),
		})
		if err != nil {
			return err
		}
		_, err = neon.NewVpcEndpointRestriction(ctx, "internal", &neon.VpcEndpointRestrictionArgs{
			ProjectId:     shop.ID(),
			VpcEndpointId: office.VpcEndpointId,
			Label:         pulumi.String("office"),
		})
		if err != nil {
			return err
		}
		return nil
	})
}
