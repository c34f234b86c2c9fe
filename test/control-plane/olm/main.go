// Judges an OLM bundle as `operator-sdk bundle validate` does, with all optional validators but the one that pulls images, and prints what
// they say as JSON.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/operator-framework/api/pkg/manifests"
	"github.com/operator-framework/api/pkg/validation"
)

type finding struct {
	Level  string `json:"level"`
	Type   string `json:"type"`
	Field  string `json:"field"`
	Detail string `json:"detail"`
}

func main() {
	bundle, err := manifests.GetBundleFromDir(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	objects := append(bundle.ObjectsToValidate(), map[string]string{"k8s-version": os.Args[2]})
	validators := validation.DefaultBundleValidators.WithValidators(
		validation.OperatorHubV2Validator,
		validation.StandardCapabilitiesValidator,
		validation.StandardCategoriesValidator,
		validation.ObjectValidator,
		validation.OperatorGroupValidator,
		validation.CommunityOperatorValidator,
		validation.AlphaDeprecatedAPIsValidator,
		validation.GoodPracticesValidator,
	)
	findings := []finding{}
	for _, result := range validators.Validate(objects...) {
		for _, found := range append(result.Errors, result.Warnings...) {
			findings = append(findings, finding{string(found.Level), string(found.Type), found.Field, found.Detail})
		}
	}
	json.NewEncoder(os.Stdout).Encode(findings)
}
