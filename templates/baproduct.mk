# Rules for make: include this file, and say which programs are to be verified.
#
#   include path/to/baproduct.mk
#   verify: lift.verdict
#
# For every NAME.c with a specification NAME.json there are
#   NAME.ba.c      the program with its monitor; made anew when the program, one of its headers or the specification changes
#   NAME.verdict   the report of `baproduct verify`; make fails if the verdict is false or presumably false
#
# BAPRODUCT        the program (default: baproduct on the path)
# BAPRODUCT_FLAGS  options of `instrument`, such as --unwind 4, -I and -D
# BAPRODUCT_VERIFY options of `verify`, such as --backend, --timeout and --memory

BAPRODUCT ?= baproduct
BAPRODUCT_FLAGS ?=
BAPRODUCT_VERIFY ?= --backend cbmc

%.ba.c: %.c %.json
	$(BAPRODUCT) instrument $*.json $*.c -o $@ -MD -MF $*.ba.d $(BAPRODUCT_FLAGS)

# The report appears whole or not at all, and is shown in either case.
%.verdict: %.ba.c
	@status=0; $(BAPRODUCT) verify $< $(BAPRODUCT_VERIFY) > $@.tmp || status=$$?; \
	cat $@.tmp; \
	if [ $$status -eq 0 ]; then mv $@.tmp $@; else rm -f $@.tmp; exit $$status; fi

# A monitored program is worth keeping although make sees it as intermediate.
.PRECIOUS: %.ba.c

-include $(wildcard *.ba.d)
