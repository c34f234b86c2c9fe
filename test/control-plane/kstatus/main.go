// What kstatus says, for a comparison with our own rules.
//
//	kstatus cases FOLDER   the cases of its own tests, read from its source
//	kstatus compute        the status of each object on the standard input, one JSON text a line
//
// Each answer is a line of JSON.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
	"sigs.k8s.io/yaml"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 2 && args[0] == "cases":
		return printCases(args[1])
	case len(args) == 1 && args[0] == "compute":
		return compute()
	}
	return fmt.Errorf("cannot run: expected `cases FOLDER` or `compute`, got %q", args)
}

type testCase struct {
	Name   string          `json:"name"`
	Object json.RawMessage `json:"object"`
	Status string          `json:"status"`
}

// A case is a member of a map of `testSpec`: its object is a variable with a YAML text, its status a constant of the package.
func printCases(folder string) error {
	packages, err := parser.ParseDir(token.NewFileSet(), folder, nil, 0)
	if err != nil {
		return err
	}
	texts := map[string]string{}
	var found []*ast.KeyValueExpr
	for _, parsed := range packages {
		ast.Inspect(parsed, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.ValueSpec:
				rememberText(texts, node)
			case *ast.CompositeLit:
				found = append(found, casesIn(node)...)
			}
			return true
		})
	}
	for _, entry := range found {
		if err := printCase(entry, texts); err != nil {
			return err
		}
	}
	return nil
}

func rememberText(texts map[string]string, spec *ast.ValueSpec) {
	for index, value := range spec.Values {
		if literal, ok := value.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			if text, err := strconv.Unquote(literal.Value); err == nil {
				texts[spec.Names[index].Name] = text
			}
		}
	}
}

func casesIn(literal *ast.CompositeLit) []*ast.KeyValueExpr {
	kind, ok := literal.Type.(*ast.MapType)
	if !ok {
		return nil
	}
	if name, ok := kind.Value.(*ast.Ident); !ok || name.Name != "testSpec" {
		return nil
	}
	var entries []*ast.KeyValueExpr
	for _, element := range literal.Elts {
		entries = append(entries, element.(*ast.KeyValueExpr))
	}
	return entries
}

func printCase(entry *ast.KeyValueExpr, texts map[string]string) error {
	name, err := strconv.Unquote(entry.Key.(*ast.BasicLit).Value)
	if err != nil {
		return err
	}
	fields := map[string]string{}
	for _, element := range entry.Value.(*ast.CompositeLit).Elts {
		field := element.(*ast.KeyValueExpr)
		switch value := field.Value.(type) {
		case *ast.Ident:
			fields[field.Key.(*ast.Ident).Name] = value.Name
		case *ast.CallExpr:
			// The one call: a text into which the present time is formatted.
			fields[field.Key.(*ast.Ident).Name] = value.Args[0].(*ast.Ident).Name
		}
	}
	text, found := texts[fields["spec"]]
	text = strings.ReplaceAll(text, "%s", time.Now().UTC().Format(time.RFC3339))
	expected, isStatus := strings.CutSuffix(fields["expectedStatus"], "Status")
	if !found || !isStatus {
		return fmt.Errorf("cannot read the case %q: it has another form than the others", name)
	}
	object, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(testCase{Name: name, Object: object, Status: expected})
}

func compute() error {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	answers := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		object := &unstructured.Unstructured{}
		if err := object.UnmarshalJSON(lines.Bytes()); err != nil {
			return err
		}
		answer := "Error"
		if result, err := status.Compute(object); err == nil {
			answer = result.Status.String()
		}
		if err := answers.Encode(answer); err != nil {
			return err
		}
	}
	return lines.Err()
}
