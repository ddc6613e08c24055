//go:build tools

// Package tools names the program that `npm start` builds, so that `go mod tidy` keeps what it needs.
package tools

import _ "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"
