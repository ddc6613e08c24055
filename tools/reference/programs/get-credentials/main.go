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
		found := neon.GetCredentialsOutput(ctx, neon.GetCredentialsOutputArgs{
			ProjectId: shop.ID(),
			BranchId:  shop.DefaultBranchId,
		})
		ctx.Export("credentials", found.Credentials())
		return nil
	})
}
