// Command program exports its configuration. Building it once compiles the packages that every Go program of the tests needs.
package main

import (
	// Packages that only generated SDKs use.
	_ "github.com/blang/semver"
	_ "github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		ctx.Export("name", pulumi.String(config.Get(ctx, "name")))
		return nil
	})
}
