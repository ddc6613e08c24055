package main

import (
	"github.com/neon-pulumi/neon-pulumi/sdk/go/neon"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		found := neon.GetProjectConsumptionOutput(ctx, neon.GetProjectConsumptionOutputArgs{
			From:        pulumi.String("2030-06-01T00:00:00Z"),
			To:          pulumi.String("2030-06-30T00:00:00Z"),
			Granularity: pulumi.String("daily"),
		})
		ctx.Export("usage", found.Projects())
		return nil
	})
}
