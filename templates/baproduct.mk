# Rules for make: include this file, and say which programs are to be verified.
#
#   include path/to/baproduct.mk
#   verify: lift.verdict
#
# For every NAME.c with a specification NAME.json there are
#   NAME.ba.c      the program with its monitor; made anew when the program, one of its headers or the specification changes
#   NAME.verdict   the report of `baproduct verify`; make fails if the verdict is false or presumably false
#
# Programs of several files are named with their files, as automake names them:
#
#   BAPRODUCT_PROGRAMS = units
#   units_SOURCES = units.c parse.tab.c
#
# Then there is units.verdict from units.json, too, and
#   units.ba/        the files with the monitor (compile them with the flags of the others to run the monitored program)
# Without units_SOURCES they are all files of a compilation database (BAPRODUCT_FLAGS = --compile-commands FILE).
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
ba_verify = @status=0; $(BAPRODUCT) verify $(1) $(BAPRODUCT_VERIFY) > $@.tmp || status=$$?; \
	cat $@.tmp; \
	if [ $$status -eq 0 ]; then mv $@.tmp $@; else rm -f $@.tmp; exit $$status; fi

%.verdict: %.ba.c
	$(call ba_verify,$<)

define ba_program
$(1).ba: $(1).json $$($(1)_SOURCES)
	rm -rf $$@
	$$(BAPRODUCT) instrument $(1).json $$(filter %.c,$$($(1)_SOURCES)) -o $$@ -MD -MF $$@.d $$(BAPRODUCT_FLAGS)
	@sed '1s,^[^:]*:,$$@:,' $$@.d > $$@.tmp && mv $$@.tmp $$@.d # the directory stands for the files in it

$(1).verdict: $(1).ba
	$$(call ba_verify,$$<)
endef
$(foreach program,$(BAPRODUCT_PROGRAMS),$(eval $(call ba_program,$(program))))

# A monitored program is worth keeping although make sees it as intermediate.
.PRECIOUS: %.ba.c

-include $(wildcard *.ba.d)
