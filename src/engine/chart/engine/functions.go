package main

import (
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"time"
)

// lookups answers `lookup` from what the host knows, and collects what it has not been told yet.
type lookups struct {
	answers map[string]json.RawMessage
	asks    []string
}

func (l *lookups) lookup(apiVersion, kind, namespace, name string) (map[string]any, error) {
	key, err := json.Marshal([]string{apiVersion, kind, namespace, name})
	if err != nil {
		return nil, err
	}
	found := map[string]any{}
	answer, known := l.answers[string(key)]
	if known {
		return found, json.Unmarshal(answer, &found)
	}
	if !slices.Contains(l.asks, string(key)) {
		l.asks = append(l.asks, string(key))
	}
	return found, nil
}

// sortedKeys is `keys` of Sprig, which gives them in an order that changes from one rendering to the next.
func sortedKeys(dicts ...map[string]any) []string {
	keys := []string{}
	for _, dict := range dicts {
		keys = append(keys, slices.Sorted(mapKeys(dict))...)
	}
	return keys
}

// sortedValues is `values` of Sprig, in the order of the keys.
func sortedValues(dict map[string]any) []any {
	values := []any{}
	for _, key := range sortedKeys(dict) {
		values = append(values, dict[key])
	}
	return values
}

func mapKeys[V any](m map[string]V) iter.Seq[string] { return maps.Keys(m) }

// now leaves out how long the program has been running, which Go prints.
func now() time.Time { return time.Now().Round(0) }
