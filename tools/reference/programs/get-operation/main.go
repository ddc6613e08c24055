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
		operation := neon.GetOperationOutput(ctx, neon.GetOperationOutputArgs{
			ProjectId:   shop.ID(),
			OperationId: pulumi.String("a07f8772-1877-4da9-a939-3a3ae62d1d8d"),
		})
		ctx.Export("status", operation.Status())
		return nil
	})
}
