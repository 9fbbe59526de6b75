# Every target works on a fresh machine: scripts/with-ocaml finds a fitting
# OCaml or makes a private one first.

OCAML = scripts/with-ocaml
PREFIX ?= /usr/local

.PHONY: web all demo test quick promote check-safety corpus check-packages shell fmt doc install dist clean

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

# Programs outside the checkout find the Weir that `make` built.
shell:
	@$(OCAML) env OCAMLPATH="$(CURDIR)/_build/install/default/lib$${OCAMLPATH:+:$$OCAMLPATH}" \
	  sh -c 'PATH="$(CURDIR)/_build/install/default/bin:$$PATH" exec "$${SHELL:-/bin/sh}"'

fmt:
	@$(OCAML) dune fmt

doc:
	@LAB="$(LAB)" $(OCAML) scripts/site
	@echo "open _build/site/index.html"

web:
	@$(OCAML) scripts/web
	@echo "open _build-web/page.html"

install:
	@scripts/install "$(PREFIX)"

dist:
	@scripts/dist

clean:
	@$(OCAML) dune clean
