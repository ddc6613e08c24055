module shop

go 1.25.11

require (
	github.com/neon-pulumi/neon-pulumi/sdk/go v0.1.0
	github.com/pulumi/pulumi/sdk/v3 v3.248.0
)

// The SDK is not published: the first step unpacks it here.
replace github.com/neon-pulumi/neon-pulumi/sdk/go => ./sdk
