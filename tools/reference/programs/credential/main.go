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
		uploads, err := neon.NewCredential(ctx, "uploads", &neon.CredentialArgs{
			ProjectId: shop.ID(),
			BranchId:  shop.DefaultBranchId,
			Scopes: pulumi.StringArray{
				pulumi.String("storage:read"),
				pulumi.String("storage:write"),
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("accessKeyId", uploads.TokenId)
		ctx.Export("secretAccessKey", uploads.S3SecretAccessKey)
		return nil
	})
}
