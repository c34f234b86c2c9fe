// What Argo CD makes of a health script: its interpreter, the libraries that it opens, and its rules for what a script returns.
//
//	argo-health   for each line of JSON on the standard input, {"script": TEXT, "object": OBJECT}, a line with its health or an error
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"

	lua "github.com/yuin/gopher-lua"
)

// Argo CD gives a script so long.
const deadline = time.Second

var statuses = []string{"Unknown", "Progressing", "Suspended", "Healthy", "Degraded", "Missing"}

type question struct {
	Script string         `json:"script"`
	Object map[string]any `json:"object"`
}

type answer struct {
	Status  string `json:"status,omitempty"`
	Message string `json:"message,omitempty"`
	Error   string `json:"error,omitempty"`
}

func main() {
	if err := answerAll(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func answerAll() error {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	answers := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			return fmt.Errorf("cannot read the question: %w", err)
		}
		health, err := judge(asked)
		if err != nil {
			health = answer{Error: err.Error()}
		}
		if err := answers.Encode(health); err != nil {
			return err
		}
	}
	return lines.Err()
}

func judge(asked question) (answer, error) {
	state := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer state.Close()
	if err := openLibraries(state); err != nil {
		return answer{}, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	state.SetContext(ctx)
	state.SetGlobal("obj", toLua(state, asked.Object))
	if err := state.DoString(asked.Script); err != nil {
		return answer{}, err
	}
	return healthOf(state.Get(-1))
}

// Argo CD opens no more but parts of `os`: a script has no `string` and no `math`.
func openLibraries(state *lua.LState) error {
	libraries := []struct {
		name string
		open lua.LGFunction
	}{{lua.LoadLibName, lua.OpenPackage}, {lua.BaseLibName, lua.OpenBase}, {lua.TabLibName, lua.OpenTable}}
	for _, library := range libraries {
		call := lua.P{Fn: state.NewFunction(library.open), NRet: 0, Protect: true}
		if err := state.CallByParam(call, lua.LString(library.name)); err != nil {
			return err
		}
	}
	return nil
}

func healthOf(returned lua.LValue) (answer, error) {
	table, isTable := returned.(*lua.LTable)
	if !isTable {
		return answer{}, fmt.Errorf("the script must return a table, not %s", returned.Type())
	}
	status := lua.LVAsString(table.RawGetString("status"))
	if !slices.Contains(statuses, status) {
		return answer{Status: "Unknown", Message: "Lua returned an invalid health status"}, nil
	}
	return answer{Status: status, Message: lua.LVAsString(table.RawGetString("message"))}, nil
}

func toLua(state *lua.LState, value any) lua.LValue {
	switch value := value.(type) {
	case bool:
		return lua.LBool(value)
	case float64:
		return lua.LNumber(value)
	case string:
		return lua.LString(value)
	case []any:
		list := state.CreateTable(len(value), 0)
		for _, item := range value {
			list.Append(toLua(state, item))
		}
		return list
	case map[string]any:
		table := state.CreateTable(0, len(value))
		for key, item := range value {
			table.RawSetString(key, toLua(state, item))
		}
		return table
	}
	return lua.LNil
}
