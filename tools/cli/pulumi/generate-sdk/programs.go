package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/blang/semver"
	"github.com/hashicorp/hcl/v2"
	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// programGenerators write a program, by the ending of its file.
var programGenerators = map[string]func(program *pcl.Program) (map[string][]byte, hcl.Diagnostics, error){
	".py": python.GenerateProgram,
	".go": gogen.GenerateProgram,
}

// writePrograms translates the programs of a folder from Pulumi's own configuration language to Python and Go. It writes them next
// to the originals.
func writePrograms(pkg *schema.Package, folder string) error {
	paths, err := filepath.Glob(filepath.Join(folder, "*.pp"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		if err := writeProgram(pkg, path); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(path), err)
		}
	}
	return nil
}

func writeProgram(pkg *schema.Package, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for ending, generate := range programGenerators {
		// A generator changes its program, so each one gets a new one.
		program, err := bind(pkg, filepath.Base(path), text)
		if err != nil {
			return err
		}
		files, diagnostics, err := generate(program)
		if err := errors.Join(err, failure(diagnostics)); err != nil {
			return fmt.Errorf("%s: %w", ending, err)
		}
		for name, content := range files {
			if filepath.Ext(name) != ending {
				continue
			}
			if err := os.WriteFile(strings.TrimSuffix(path, ".pp")+ending, content, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

func bind(pkg *schema.Package, name string, text []byte) (*pcl.Program, error) {
	parser := syntax.NewParser()
	if err := parser.ParseFile(bytes.NewReader(text), name); err != nil {
		return nil, err
	}
	if err := failure(parser.Diagnostics); err != nil {
		return nil, err
	}
	program, diagnostics, err := pcl.BindProgram(parser.Files, loader{pkg}, pcl.PreferOutputVersionedInvokes)
	return program, errors.Join(err, failure(diagnostics))
}

// failure returns all diagnostics. Warnings are errors here, because others copy these programs.
func failure(diagnostics hcl.Diagnostics) error {
	if len(diagnostics) == 0 {
		return nil
	}
	return diagnostics
}

// loader knows one package.
type loader struct{ pkg *schema.Package }

func (l loader) LoadPackage(name string, _ *semver.Version) (*schema.Package, error) {
	if name != l.pkg.Name {
		return nil, fmt.Errorf("there is no schema of %s", name)
	}
	return l.pkg, nil
}

func (l loader) LoadPackageV2(_ context.Context, descriptor *schema.PackageDescriptor) (*schema.Package, error) {
	return l.LoadPackage(descriptor.Name, descriptor.Version)
}

func (l loader) LoadPackageReference(name string, version *semver.Version) (schema.PackageReference, error) {
	pkg, err := l.LoadPackage(name, version)
	if err != nil {
		return nil, err
	}
	return pkg.Reference(), nil
}

func (l loader) LoadPackageReferenceV2(
	_ context.Context, descriptor *schema.PackageDescriptor,
) (schema.PackageReference, error) {
	return l.LoadPackageReference(descriptor.Name, descriptor.Version)
}
