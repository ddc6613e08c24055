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
		signIn, err := neon.NewNeonAuth(ctx, "signIn", &neon.NeonAuthArgs{
			ProjectId: shop.ID(),
			BranchId:  shop.DefaultBranchId,
		})
		if err != nil {
			return err
		}
		found := neon.LookupNeonAuthOutput(ctx, neon.LookupNeonAuthOutputArgs{
			ProjectId: shop.ID(),
			BranchId:  signIn.BranchId,
		})
		ctx.Export("baseUrl", found.BaseUrl())
		return nil
	})
}
