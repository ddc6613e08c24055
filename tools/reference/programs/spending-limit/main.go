package main

import (
	"github.com/neon-pulumi/neon-pulumi/sdk/go/neon"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := neon.NewSpendingLimit(ctx, "budget", &neon.SpendingLimitArgs{
			SpendingLimitCents: pulumi.Int(50000),
		})
		if err != nil {
			return err
		}
		return nil
	})
}
