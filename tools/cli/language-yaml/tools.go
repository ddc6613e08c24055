//go:build tools

// Package tools names the program that `npm test` builds, so that `go mod tidy` keeps what it needs.
package tools

import _ "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"
