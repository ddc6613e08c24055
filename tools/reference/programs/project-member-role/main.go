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
		ann, err := neon.NewOrganizationMember(ctx, "ann", &neon.OrganizationMemberArgs{
			Email: pulumi.String("ann@example.com"),
			Role:  pulumi.String("member"),
		})
		if err != nil {
			return err
		}
		_, err = neon.NewProjectMemberRole(ctx, "ann-reads-the-shop", &neon.ProjectMemberRoleArgs{
			ProjectId: shop.ID(),
			MemberId:  ann.MemberId.Elem(),
			Role:      pulumi.String("viewer"),
		})
		if err != nil {
			return err
		}
		return nil
	})
}
