// Command generate-sdk writes the SDK of a Pulumi package: generate-sdk <nodejs|python|go> <schema.json> <folder>. `generate-sdk
// programs <schema.json> <folder>` writes the programs of a folder in each language.
//
// It replaces `pulumi package gen-sdk` and `pulumi convert`, which need a language host. The hosts that can be built here are too
// old to generate code.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "generate-sdk"

type generator func(pkg *schema.Package) (map[string][]byte, error)

var generators = map[string]generator{
	"nodejs": func(pkg *schema.Package) (map[string][]byte, error) {
		return nodejs.GeneratePackage(tool, pkg, nil, nil, false, nil)
	},
	"python": func(pkg *schema.Package) (map[string][]byte, error) {
		return python.GeneratePackage(tool, pkg, nil, nil)
	},
	"go": func(pkg *schema.Package) (map[string][]byte, error) {
		return gogen.GeneratePackage(tool, pkg, nil)
	},
}

func main() {
	if len(os.Args) != 4 || (os.Args[1] != "programs" && generators[os.Args[1]] == nil) {
		fmt.Fprintln(os.Stderr, "usage: generate-sdk <nodejs|python|go|programs> <schema.json> <folder>")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(what, schemaFile, folder string) error {
	pkg, err := readSchema(schemaFile)
	if err != nil {
		return err
	}
	if what == "programs" {
		return writePrograms(pkg, folder)
	}
	files, err := generators[what](pkg)
	if err != nil {
		return err
	}
	for name, content := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func readSchema(file string) (*schema.Package, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	pkg, diagnostics, err := schema.BindSpec(spec, schema.NewNullLoader(), schema.ValidationOptions{})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	// Warnings count, too, because the schema is ours.
	if len(diagnostics) > 0 {
		return nil, fmt.Errorf("%s: %w", file, diagnostics)
	}
	return pkg, nil
}
