package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig/v3"
	"golang.org/x/crypto/bcrypt"
)

const enterFunction = "rolebook_enter"

// draw is what one call of a random function gave. A later rendering gets it again.
type draw struct {
	Template string `json:"template"`
	Function string `json:"function"`
	// Arguments is a hash of them; none where they hold a secret of low entropy, whose draw is tested instead.
	Arguments string          `json:"arguments,omitempty"`
	Value     json.RawMessage `json:"value"`
}

// draws replays: the nth call of a function with the same arguments in one template gives what its nth call gave before.
type draws struct {
	known    []draw
	made     []draw
	template string
}

func newDraws(known []draw) *draws { return &draws{known: slices.Clone(known), made: []draw{}} }

// fits tells whether a value may have come of the arguments, for functions whose arguments must not be hashed quickly.
var fits = map[string]func(value string, arguments []reflect.Value) bool{
	"bcrypt": func(value string, arguments []reflect.Value) bool {
		return bcrypt.CompareHashAndPassword([]byte(value), []byte(arguments[0].String())) == nil
	},
	"htpasswd": func(value string, arguments []reflect.Value) bool {
		hash, found := strings.CutPrefix(value, arguments[0].String()+":")
		return found && bcrypt.CompareHashAndPassword([]byte(hash), []byte(arguments[1].String())) == nil
	},
	"encryptAES": func(value string, arguments []reflect.Value) (is bool) {
		defer func() { is = recover() == nil && is }()
		decrypt := sprig.TxtFuncMap()["decryptAES"].(func(string, string) (string, error))
		text, err := decrypt(arguments[0].String(), value)
		return err == nil && text == arguments[1].String()
	},
	"shuffle": func(value string, arguments []reflect.Value) bool {
		a, b := []rune(value), []rune(arguments[0].String())
		slices.Sort(a)
		slices.Sort(b)
		return slices.Equal(a, b)
	},
}

var hashed = []string{"randAlphaNum", "randAlpha", "randAscii", "randNumeric", "randBytes", "randInt", "uuidv4",
	"genPrivateKey", "genCA", "genCAWithKey", "genSelfSignedCert", "genSelfSignedCertWithKey", "genSignedCert",
	"genSignedCertWithKey"}

func (d *draws) functions() template.FuncMap {
	all := sprig.TxtFuncMap()
	// Those of Sprig draw from a generator that is seeded with the time.
	all["randInt"], all["shuffle"] = randInt, shuffle
	functions := template.FuncMap{enterFunction: d.enter}
	for _, name := range hashed {
		functions[name] = d.replayed(name, all[name])
	}
	for name := range fits {
		functions[name] = d.replayed(name, all[name])
	}
	return functions
}

func (d *draws) enter(name string) string {
	d.template = name
	return ""
}

// replayed has the type of the function, so that wrong arguments are refused in the same words.
func (d *draws) replayed(name string, function any) any {
	original := reflect.ValueOf(function)
	kind := original.Type()
	return reflect.MakeFunc(kind, func(arguments []reflect.Value) []reflect.Value {
		hash := hashOf(name, arguments)
		if value, found := d.take(name, hash, arguments, kind.Out(0)); found {
			results := []reflect.Value{value}
			for i := 1; i < kind.NumOut(); i++ {
				results = append(results, reflect.Zero(kind.Out(i)))
			}
			return results
		}
		results := original.Call(arguments)
		if len(results) == 1 || results[1].IsNil() {
			d.keep(draw{Template: d.template, Function: name, Arguments: hash}, results[0])
		}
		return results
	}).Interface()
}

func hashOf(name string, arguments []reflect.Value) string {
	if _, tested := fits[name]; tested {
		return ""
	}
	var text bytes.Buffer
	for _, argument := range arguments {
		if err := json.NewEncoder(&text).Encode(argument.Interface()); err != nil {
			fmt.Fprintf(&text, "%v\n", argument.Interface())
		}
	}
	sum := sha256.Sum256(text.Bytes())
	return hex.EncodeToString(sum[:12])
}

func (d *draws) take(name, hash string, arguments []reflect.Value, kind reflect.Type) (reflect.Value, bool) {
	for i, each := range d.known {
		if each.Template != d.template || each.Function != name || each.Arguments != hash {
			continue
		}
		value := reflect.New(kind)
		if json.Unmarshal(each.Value, value.Interface()) != nil {
			continue
		}
		if test, tested := fits[name]; tested && !test(value.Elem().String(), arguments) {
			continue
		}
		d.known = slices.Delete(d.known, i, i+1)
		d.made = append(d.made, each)
		return value.Elem(), true
	}
	return reflect.Value{}, false
}

func (d *draws) keep(made draw, value reflect.Value) {
	if text, err := json.Marshal(value.Interface()); err == nil {
		made.Value = text
		d.made = append(d.made, made)
	}
}

func randInt(min, max int) int {
	if max <= min {
		panic("invalid argument to Intn")
	}
	return rand.IntN(max-min) + min
}

func shuffle(text string) string {
	runes := []rune(text)
	rand.Shuffle(len(runes), func(i, j int) { runes[i], runes[j] = runes[j], runes[i] })
	return string(runes)
}
