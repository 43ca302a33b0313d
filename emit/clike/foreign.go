package clike

import (
	"regexp"

	"imgc/emit/ctree"
	"imgc/kir"
	"imgc/types"
)

// Words are the identifiers in the texts of foreign functions: names that nothing else in the file may have.
func Words(texts []*kir.ForeignText) []string {
	var out []string
	for _, t := range texts {
		out = append(out, identifier.FindAllString(t.Text, -1)...)
	}
	return out
}

var identifier = regexp.MustCompile(`[A-Za-z_]\w*`)

// Foreign gives a func that returns its result the name that it has in its text, and translates one that changes a parameter to a
// function that returns the value: nil for the former.
func (u *Unit) Foreign(f *kir.Func) *ctree.Func {
	if f.Foreign.Place < 0 {
		u.globals[f] = f.Foreign.Name
		return nil
	}
	s := u.function()
	out := &ctree.Func{Prefix: u.Dialect.FuncPre, Name: u.Name(f, f.Name+"_of"), Result: ctree.Base("void"), At: f.At}
	if f.Out == nil {
		out.Result = u.typeName(f.Result)
	}
	for _, p := range f.Params {
		out.Params = append(out.Params, ctree.Param{Type: u.varType(p.Type), Name: s.declare(p)})
	}
	result := f.Out
	if result == nil {
		result = &kir.Var{Name: "result", Type: f.Result}
	}
	name := s.declare(result)
	if f.Out != nil {
		out.Params = append(out.Params, ctree.Param{Type: u.varType(result.Type), Name: name})
	}
	var before *kir.Var // what the function finds in the result
	if at := f.Foreign.Before(); at >= 0 {
		before = f.Params[at]
	}
	out.Body = append(s.begin(f, result, before), &ctree.Do{X: ctree.CallTo(f.Foreign.Name, s.foreignArgs(f, ctree.Name(name))...)})
	if f.Out == nil {
		out.Body = append(out.Body, &ctree.Return{X: ctree.Name(name)})
	}
	return out
}

// begin gives the result its first value: that of the parameter before, or zeros.
func (s *scope) begin(f *kir.Func, result, before *kir.Var) []ctree.Stmt {
	value := func(index ...ctree.Expr) ctree.Expr {
		if before == nil {
			t := result.Type.Elem()
			return s.constant(t, make([]types.Word, t.Words())).X
		}
		return ctree.At(s.variable(before), index...)
	}
	if f.Out == nil {
		return one(&ctree.Declare{Type: s.varType(result.Type), Name: string(s.variable(result).(ctree.Name)), Init: value()})
	}
	var index []ctree.Expr
	for range result.Type.Shape() {
		index = append(index, ctree.Name(s.names.Give("i")))
	}
	body := one(&ctree.Set{Target: ctree.At(s.variable(result), index...), Value: value(index...)})
	zero, next := s.Dialect.literal(types.I32, 0).X, s.Dialect.literal(types.I32, 1).X
	for k := len(index) - 1; k >= 0; k-- {
		i := index[k].(ctree.Name)
		end := s.Dialect.integer(types.I32, types.Int(int64(result.Type.Dims[k]))).X
		body = one(&ctree.For{
			Init: &ctree.Declare{Type: s.typeName(types.Scalar(types.I32)), Name: string(i), Init: zero},
			Cond: ctree.Op2("<", i, end), Next: &ctree.Set{Target: i, Value: ctree.Op2("+", i, next)}, Body: body,
		})
	}
	return body
}

// foreignArgs are the arguments of the foreign function: the parameters in its order, the result by its address.
func (s *scope) foreignArgs(f *kir.Func, result ctree.Expr) []ctree.Expr {
	var args []ctree.Expr
	next := 0
	for i, in := range f.Foreign.In {
		var own ctree.Expr
		if in {
			own = s.variable(f.Params[next])
			next++
		}
		if i == f.Foreign.Place {
			own = result
			if f.Out == nil {
				own = &ctree.Unary{Op: "&", X: result}
			}
		}
		args = append(args, own)
	}
	return args
}
