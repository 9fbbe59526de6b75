# Every target works on a fresh machine: scripts/with-ocaml finds a fitting
# OCaml or makes a private one first.

OCAML = scripts/with-ocaml
PREFIX ?= /usr/local

.PHONY: all demo test quick promote check-safety corpus check-packages shell fmt doc install dist clean

all:
	@$(OCAML) dune build

demo:
	@scripts/demo

test:
	@scripts/test

quick:
	@WEIR_QUICK=1 scripts/test

promote:
	@WEIR_PROMOTE=1 scripts/test
	@$(OCAML) dune promote

corpus:
	@$(OCAML) dune build ./gen ./src
	@python3 scripts/corpus --fetch $(PROTOS)
	@$(OCAML) python3 scripts/corpus $(PROTOS) $(CORPUS)
	@python3 scripts/corpus-peer --fetch
	@$(OCAML) python3 scripts/corpus-peer

check-safety:
	@scripts/check-safety

check-packages:
	@$(OCAML) scripts/check-packages

shell:
	@$(OCAML) $${SHELL:-/bin/sh}

fmt:
	@$(OCAML) dune fmt

doc:
	@mkdir -p _build
	@$(OCAML) dune build @doc 2>_build/doc.log || { cat _build/doc.log; exit 1; }
	@echo "open _build/default/_doc/_html/index.html"

install:
	@scripts/install "$(PREFIX)"

dist:
	@scripts/dist

clean:
	@$(OCAML) dune clean
