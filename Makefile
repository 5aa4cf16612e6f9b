# SPDX-License-Identifier: MIT
# `make` lists the goals.

# Package.swift must declare every target that a source imports: the arrows of the map point down only.
SWIFT_FLAGS = --explicit-target-dependency-import-check error

# With Swift's runtime in the binary, its calls are direct. That saves a fifth of the server's own CPU time for an
# action (Decisions/0010). The binary also runs where there is no Swift. It looks for no library beside itself, and
# no address of a library function can be written over once it runs. Without debug information (-S) the backtrace of
# a trap takes hundredths of a second, and the supervisor starts the next server after it.
RELEASE_FLAGS = --static-swift-stdlib --disable-local-rpath -Xlinker -z -Xlinker now -Xlinker -S

# The packages that the server is built from, then those that Swift itself needs on a bare Debian 12.
BUILD_PACKAGES = libmicrohttpd-dev nettle-dev libsqlite3-dev libpq-dev libcurl4-gnutls-dev zlib1g-dev libsodium-dev pkg-config \
  binutils ca-certificates git libc6-dev libcurl4 libncurses6 libsqlite3-0 libstdc++-12-dev libxml2
TYPE_PACKAGES = $(if $(shell command -v node),,nodejs) node-typescript
# For the commands that the guides show.
GUIDE_PACKAGES = curl postgresql-15 postgresql-client-15 pgbouncer python3 sqlite3 systemd
CLIENT_PACKAGES = $(TYPE_PACKAGES) esbuild
JAVASCRIPT_PACKAGES = $(CLIENT_PACKAGES) node-jsdom
TRANSCRIPT_PACKAGES = curl jq python3
INSTRUCTION_PACKAGES = valgrind binutils git python3
API_PACKAGES = python3-venv
BROWSER_PACKAGES = chromium firefox-esr fonts-noto-cjk python3-venv
# nginx itself is fetched. The libraries are those that it needs.
IDENTITY_PACKAGES = chromium python3-venv libpcre2-8-0 libssl3 zlib1g libcrypt1
ABUSE_PACKAGES = openssl python3
LINT_PACKAGES = python3 shellcheck
# The tests make their certificate with openssl, and it is their TLS client.
FAST_PACKAGES = curl openssl
# tsc checks the types of view models.
SWIFT_TEST_PACKAGES = $(FAST_PACKAGES) $(TYPE_PACKAGES)
STORE_PACKAGES = postgresql-15 pgbouncer
STORY_PACKAGES = chromium python3-venv
# The proxies and the database of several servers. nginx is fetched, and the libraries are those that it needs.
NODES_PACKAGES = haproxy postgresql-15 postgresql-client-15 pgbouncer python3 libpcre2-8-0 libssl3 zlib1g libcrypt1
# The compiler makes the library that sets a server's clock (Tests/Faults/clock.c).
FAULTS_PACKAGES = haproxy postgresql-15 postgresql-client-15 python3 gcc libc6-dev util-linux
SEED = 1
REFEREE_PACKAGES = python3-venv
# The pages are in British English.
WORDS_PACKAGES = hunspell hunspell-en-gb git python3-venv
# The libraries are those that nginx needs. nginx itself is not installed: Scripts/fetch-nginx.sh says why.
BENCH_PACKAGES = gcc libmicrohttpd-dev python3 libpcre2-8-0 libssl3 zlib1g libcrypt1

SWIFT_TEST = swift test --skip-build --parallel --quiet $$(Scripts/test-width.sh)
# Tests of traps end a process, whose backtrace would take seconds.
QUICK_SWIFT_TEST = SWIFT_BACKTRACE=enable=no $(SWIFT_TEST)
# The Swift tests that the gate leaves out: those of disks, databases and networks; those that start the program; those
# that run compilers. Then the programs that they start.
STORE_TESTS = SQLiteSessionsTests EuripusNodesTests FaultTests CorpusTests HelpDeskTests
PROCESS_TESTS = EuripusCommandTests SupervisionTests
DOCUMENT_TESTS = DocumentationTests ClientTypesTests
TESTED_PROGRAMS = LedgerServer AbusedServer TrappingServer BoardApp GatehouseApp StoreBenchmark HelpDesk
# The gate, for each change: one debug build, and neither a database nor a proxy. The quickest suites come first.
SUITES = lint test-words test-checks test-javascript test-swift test-readme test-stories
# All else, in goals that need nothing of each other, so that machines can run them side by side.
OTHER_SUITES = test-stores test-processes test-documents test-examples test-new test-dev test-referee test-api test-browsers test-nodes test-faults \
  test-abuse test-release test-address test-thread test-fuzz compose-check
# The same claims as those, with more chance in them.
LONG_SUITES = test-swift-long test-javascript-long test-api-long test-api-nodes test-browser-nodes fuzz
# The number of faults in 'make test-faults', and in 'make faults'.
FAULTS_OF_TEST = 14
FAULTS = 500
# The number of actions that are acknowledged at least for each fault.
FAULTS_ACTIONS = 1000
# The recordings of the suites that talk to a server.
RECORDINGS = .build/recordings
record = Scripts/record.sh $(RECORDINGS) $(patsubst test-%,%,$@)
# The referee judges a recording: patches by jsonpatch, JSON by Python, no secret.
judge = Scripts/test-referee.sh $(RECORDINGS) $(patsubst test-%,%,$@)
# Seconds for each property, in `make test-fuzz` and in `make fuzz`.
FUZZ_SECONDS_OF_TEST = 30
FUZZ_SECONDS = 600
CORE_BENCHMARK = Benchmarks/Core
VIEW_MODEL_BENCHMARK = Benchmarks/ViewModels
SERVER_BENCHMARK = Benchmarks/Server
HUMMINGBIRD_BENCHMARK = Benchmarks/HummingbirdAnswers
DEBUG_SERVER = .build/debug/euripus
# The apps that the browser tests start beside the server: one in which one signs in, the examples, and the programs of
# Templates.
GATEHOUSE = .build/debug/GatehouseApp
EXAMPLES = .build/debug/Todo .build/debug/HelpDesk
TEMPLATES = .build/debug/Starter .build/debug/Tally

# Tests take neither the port nor the database of the person who runs them.
unexport PORT DATABASE_URL

.DEFAULT_GOAL = help
.PHONY: help run build install client test test-all test-long test-sanitizers swift-tests $(SUITES) $(OTHER_SUITES) $(LONG_SUITES) test-browser test-identity test-instructions test-symbols test-install test-bench test-transcript test-hops test-articles docs presence faults abuse abused screenshots bench bench-core test-bench-core bench-view-models bench-store \
  dockerfile-check clean set-up

help: ## list these goals
	@echo 'Euripus: make GOAL'
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | awk -F '\t' '{ printf "  %-17s %s\n", $$1, $$2 }'

run: build ## build in release mode and serve the demos; options: make run ARGS="--port 0"
	@exec .build/release/euripus serve --supervise --store "$${XDG_STATE_HOME:-$$HOME/.local/state}/euripus/sessions.db" $(ARGS)

build: set-up ## build the server in release mode
	swift build -c release --product euripus $(RELEASE_FLAGS) $(SWIFT_FLAGS)

PREFIX = $(HOME)/.local

install: build ## put the program `euripus` into ~/.local/bin; options: make install PREFIX=/usr/local
	install -D -m 755 .build/release/euripus "$(PREFIX)/bin/euripus"

test: set-up ## the gate, for every change: some ten minutes from a fresh clone
	@Scripts/install-packages.sh $(LINT_PACKAGES) $(WORDS_PACKAGES) $(JAVASCRIPT_PACKAGES) $(FAST_PACKAGES) $(TRANSCRIPT_PACKAGES) $(STORY_PACKAGES)
	@Scripts/run-suites.sh $(SUITES)

test-all: set-up ## every other suite, one after the other: stores, processes, browsers, proxies, faults, attacks, sanitizers
	@Scripts/run-suites.sh $(OTHER_SUITES)

test-long: set-up ## what is too slow for every night: a thousand kills, many more random runs and requests, fuzzing for long
	@Scripts/run-suites.sh $(LONG_SUITES)

swift-tests: set-up
	swift build --build-tests $(SWIFT_FLAGS)

# A target that no list of Swift tests names is in the gate until somebody moves it.
test-swift: export EURIPUS_WITHOUT = $(STORE_TESTS) $(PROCESS_TESTS) $(DOCUMENT_TESTS) $(TESTED_PROGRAMS)
test-swift: swift-tests ## the quick Swift tests, which start no other program; options: make test-swift ARGS="--filter Session"
	@Scripts/install-packages.sh $(FAST_PACKAGES)
	@$(QUICK_SWIFT_TEST) $(ARGS)

test-stores: swift-tests ## the stores of sessions, SQLite and PostgreSQL, and what disks and networks do to them
	@Scripts/install-packages.sh $(STORE_PACKAGES)
	@Scripts/with-postgresql.sh $(SWIFT_TEST) $(addprefix --filter ^,$(addsuffix '\.',$(STORE_TESTS)))

test-processes: swift-tests ## the program `euripus`, and its supervisor
	@Scripts/install-packages.sh $(STORE_PACKAGES) $(SWIFT_TEST_PACKAGES)
	@Scripts/with-postgresql.sh $(SWIFT_TEST) $(addprefix --filter ^,$(addsuffix '\.',$(PROCESS_TESTS)))

test-swift-long: swift-tests
	@Scripts/install-packages.sh $(STORE_PACKAGES) $(SWIFT_TEST_PACKAGES)
	@Scripts/test-swift-long.sh

test-address: set-up ## the address sanitizer on the core, view models, sessions, listener and SQLite store
	@Scripts/install-packages.sh $(FAST_PACKAGES)
	@Scripts/test-sanitizers.sh address

test-thread: set-up ## the thread sanitizer on the same
	@Scripts/install-packages.sh $(FAST_PACKAGES)
	@Scripts/test-sanitizers.sh thread

test-sanitizers: test-address test-thread ## both sanitizers

test-abuse: $(DEBUG_SERVER) ## the attacks of 'make abuse' on debug builds, for five seconds each
	@Scripts/install-packages.sh $(ABUSE_PACKAGES)
	swift build --product AbusedServer $(SWIFT_FLAGS)
	swift build --product TrappingServer $(SWIFT_FLAGS)
	@python3 -B Tests/Abuse/abuse.py --built .build/debug --seconds 5

abuse: abused ## attacks on a server, each beside a client that is none; options: make abuse ARGS="--seconds 60 traps"
	@python3 -B Tests/Abuse/abuse.py $(ARGS)

# The servers that are attacked.
abused: build
	@Scripts/install-packages.sh $(ABUSE_PACKAGES)
	swift build -c release --product AbusedServer $(RELEASE_FLAGS) $(SWIFT_FLAGS)
	swift build -c release --product TrappingServer $(RELEASE_FLAGS) $(SWIFT_FLAGS)

faults: set-up ## servers fail, and so do their database and the links between, while clients act; options: make faults FAULTS=500 SEED=1
	@Scripts/install-packages.sh $(FAULTS_PACKAGES)
	swift build -c release --product LedgerServer $(SWIFT_FLAGS)
	@python3 -B Tests/Faults/faults.py --controls --faults $(FAULTS) --actions $(FAULTS_ACTIONS) --seed $(SEED) .build/release/LedgerServer
	@for store in file shared; do python3 -B Tests/Faults/uploads.py --megabytes 1024 --faults 28 --seed $(SEED) --store $$store .build/release/LedgerServer || exit 1; done

test-faults: set-up ## the same for some faults, each kind at least once
	@Scripts/install-packages.sh $(FAULTS_PACKAGES)
	swift build --product LedgerServer $(SWIFT_FLAGS)
	@python3 -B Tests/Faults/faults.py --controls --faults $(FAULTS_OF_TEST) --seed $(SEED) .build/debug/LedgerServer
	@for store in file shared "shared --apart"; do python3 -B Tests/Faults/uploads.py --seed $(SEED) --store $$store .build/debug/LedgerServer || exit 1; done

test-release: ## the release build: its symbols, its benchmarks' own tests, its instructions
	@Scripts/run-suites.sh test-symbols test-install test-bench test-instructions

test-symbols: build ## the release build defines no symbol of a library
	@Scripts/lint-symbols.sh

test-install: ## the program that `make install` puts somewhere makes a package there
	@$(MAKE) --no-print-directory install PREFIX=.build/install
	@rm -rf .build/install/shop
	@cd .build/install && bin/euripus new shop && test -f shop/Package.swift -a -f shop/Public/euripus.js

test-instructions: set-up ## the instructions of the core, actions, polls and openings, beside those of the commit in Benchmarks/base-commit
	@Scripts/install-packages.sh $(INSTRUCTION_PACKAGES)
	@Scripts/guard-instructions.sh

client: ## make Public/euripus.js and the styles of the pages of the sources in Client/
	@Scripts/install-packages.sh $(CLIENT_PACKAGES)
	@Scripts/bundle-client.sh
	@Scripts/embed-templates.py

test-javascript: ## the JavaScript tests: the client's types, its bundle, and what it does
	@Scripts/install-packages.sh $(JAVASCRIPT_PACKAGES)
	@Scripts/test-javascript.sh

test-javascript-long:
	@Scripts/install-packages.sh $(JAVASCRIPT_PACKAGES)
	@EURIPUS_SEEDS=1-2000 Scripts/test-javascript.sh

test-readme: $(DEBUG_SERVER) ## the curl transcript of README.md, line by line
	@Scripts/install-packages.sh $(TRANSCRIPT_PACKAGES)
	@EURIPUS_BIN=$(DEBUG_SERVER) Scripts/test-transcript.sh README.md

test-transcript: $(DEBUG_SERVER) ## the curl transcripts of all pages, line by line
	@Scripts/install-packages.sh $(TRANSCRIPT_PACKAGES) $(REFEREE_PACKAGES)
	@EURIPUS_BIN=$(DEBUG_SERVER) $(record) Scripts/test-transcript.sh
	@$(judge)

test-stories: $(DEBUG_SERVER) ## three stories in a headless Chromium: the login, typing far away from the server, a list
	@Scripts/install-packages.sh $(STORY_PACKAGES)
	@Scripts/test-stories.sh $(DEBUG_SERVER)

test-browsers: ## all pages, in a headless Chromium and in Firefox, and signing in through nginx
	@Scripts/run-suites.sh test-browser test-identity

test-browser: $(DEBUG_SERVER) $(GATEHOUSE) $(EXAMPLES) $(TEMPLATES) ## the pages, in a headless Chromium, and the login in Firefox
	@Scripts/install-packages.sh $(BROWSER_PACKAGES) $(REFEREE_PACKAGES)
	@$(record) Scripts/test-browser.sh $(DEBUG_SERVER)
	@$(judge)

presence: $(DEBUG_SERVER) ## how soon a member of a room is gone, and there again, in Chromium: its tab closed, its network cut, its laptop asleep
	@Scripts/install-packages.sh $(STORY_PACKAGES) iproute2
	@$$(Scripts/python-environment.sh Tests/Browser)/bin/python -B Tests/Browser/presence.py $(ARGS) $(DEBUG_SERVER)

test-identity: $(DEBUG_SERVER) ## signing in through nginx and an OpenID provider, in a headless Chromium
	@Scripts/install-packages.sh $(IDENTITY_PACKAGES)
	@Scripts/test-identity.sh $(DEBUG_SERVER)

test-nodes: $(DEBUG_SERVER) ## haproxy and nginx, as SCALING.md has them, before servers that share a database; a minute
	@Scripts/install-packages.sh $(NODES_PACKAGES)
	@Scripts/test-nodes.sh $(DEBUG_SERVER)

test-api-nodes: $(DEBUG_SERVER) ## the suite of test-api against two servers that take turns
	@Scripts/install-packages.sh $(API_PACKAGES) $(NODES_PACKAGES)
	@Scripts/with-nodes.sh Scripts/test-api.sh $(DEBUG_SERVER)

test-browser-nodes: $(DEBUG_SERVER) $(GATEHOUSE) $(TEMPLATES) ## the suite of test-browser against two servers that take turns
	@Scripts/install-packages.sh $(BROWSER_PACKAGES) $(NODES_PACKAGES)
	@Scripts/with-nodes.sh Scripts/test-browser.sh $(DEBUG_SERVER)

# FaultTests and CorpusTests record as well.
test-referee: swift-tests ## judge what the Swift tests do: patches by jsonpatch, JSON by Python, no secret
	@Scripts/install-packages.sh $(FAST_PACKAGES) $(REFEREE_PACKAGES)
	@SWIFT_BACKTRACE=enable=no Scripts/record.sh $(RECORDINGS) swift $(SWIFT_TEST) $(addprefix --skip ^,$(addsuffix '\.',$(filter-out FaultTests CorpusTests,$(STORE_TESTS)) $(PROCESS_TESTS) $(DOCUMENT_TESTS)))
	@Scripts/test-referee.sh $(RECORDINGS) swift

test-api: $(DEBUG_SERVER) ## the server against its own OpenAPI description, and its responses against HTTP
	@Scripts/install-packages.sh $(API_PACKAGES)
	@Scripts/test-api.sh $(DEBUG_SERVER)

test-api-long: $(DEBUG_SERVER)
	@Scripts/install-packages.sh $(API_PACKAGES)
	@API_EXAMPLES=200 API_TIME_LIMIT=7200 Scripts/test-api.sh $(DEBUG_SERVER)

screenshots: $(DEBUG_SERVER) ## make the pictures of the README and of the list of demos
	@Scripts/install-packages.sh $(BROWSER_PACKAGES)
	$$(Scripts/python-environment.sh Tests/Browser)/bin/python Scripts/take-screenshots.py $(DEBUG_SERVER) Documentation/pictures
	$$(Scripts/python-environment.sh Tests/Browser)/bin/python Scripts/take-moving-picture.py $(DEBUG_SERVER) Public/pictures
	$$(Scripts/python-environment.sh Tests/Browser)/bin/python Scripts/take-pictures.py $(DEBUG_SERVER) Public/pictures

lint: set-up ## the format of sources and scripts, words that may not stand, the floors of each target
	@Scripts/install-packages.sh $(LINT_PACKAGES)
	swift format lint --strict --recursive Sources Tests Demos EventSequences Benchmarks/Store Package.swift \
	  $(addprefix Fuzzing/,Sources/Fuzz Package.swift) $(wildcard $(addprefix Examples/*/,Sources Tests Package.swift) $(addprefix Templates/*/,Sources Tests Package.swift) $(addprefix Examples/Clients/*/,Sources Tests Package.swift)) \
	  $(addprefix $(CORE_BENCHMARK)/,Sources Tests Package.swift) \
	  $(addprefix $(VIEW_MODEL_BENCHMARK)/,Sources Package.swift) \
	  $(addprefix $(HUMMINGBIRD_BENCHMARK)/,Sources Package.swift)
	shellcheck .ci/run Scripts/*.sh Templates/*/Tests/*.sh
	Scripts/lint-words.sh --table
	Scripts/copy-surfaces.py --check
	Scripts/embed-templates.py --check
	Scripts/write-for-agents.py --check
	Scripts/lint_map.py
	Scripts/lint_python.py
	Scripts/show_code.py --check
	Scripts/colour_code.py --check

test-checks: ## the checks themselves: each finds a fault that is planted for it
	@Scripts/install-packages.sh $(LINT_PACKAGES)
	@Scripts/test-python.sh Tests/Checks

test-words: ## the pages: how easy they read, their spelling, their links and anchors
	@Scripts/install-packages.sh $(WORDS_PACKAGES)
	@Scripts/test-words.sh

test-fuzz: set-up ## look for bytes that the readers and parsers do not bear, for half a minute each
	@Scripts/fuzz.sh $(FUZZ_SECONDS_OF_TEST)

fuzz: set-up ## the same for longer; options: make fuzz FUZZ_SECONDS=60
	@Scripts/fuzz.sh $(FUZZ_SECONDS)

test-hops: $(DEBUG_SERVER) ## the hops of an action, counted by callgrind, against the figure that ARCHITECTURE.md quotes
	@Scripts/install-packages.sh $(INSTRUCTION_PACKAGES)
	@Scripts/count_hops.py $(ARGS) $(DEBUG_SERVER)

test-documents: ## the documents: their programs, their transcripts, the site, the types that clients read
	@Scripts/run-suites.sh test-articles test-transcript test-hops docs

test-articles: swift-tests ## the programs of documents, and the types that clients read, by their compilers
	@Scripts/install-packages.sh $(SWIFT_TEST_PACKAGES)
	@$(SWIFT_TEST) $(addprefix --filter ^,$(addsuffix '\.',$(DOCUMENT_TESTS)))

# docc's warnings are errors here, so the goal fails unless the site is whole.
docs: set-up ## make the site of the guides, the pages and the symbols, in .build/site
	swift build --target Euripus $(SWIFT_FLAGS)
	swift build --target EventSequences $(SWIFT_FLAGS)
	@python3 Scripts/build-docs.py .build/site

test-examples: set-up ## packages that use this one (one is built for release, and killed), the clients, and what must not compile
	@Scripts/install-packages.sh $(TYPE_PACKAGES) $(GUIDE_PACKAGES) $(STORY_PACKAGES)
	@Scripts/test-clients.sh
	swift build --target EventSequences $(SWIFT_FLAGS)
	swift build --target EuripusApp $(SWIFT_FLAGS)
	Scripts/check-refused.sh -I .build/debug/Modules $(patsubst %/,-I %,$(dir $(shell find Sources -name module.modulemap))) \
	  $$(pkg-config --cflags-only-I libpq) -Xcc -fmodule-map-file=.build/debug/CMicroHTTPDShim.build/module.modulemap
	swift test --package-path Examples/AsyncAlgorithms --quiet
	swift build --package-path Examples/Clients/Swift
	swift build -c release --package-path Examples/Todo --product Todo $(RELEASE_FLAGS)
	@Scripts/with-postgresql.sh python3 -B Tests/OutsidePackage/outside_package.py Examples/Todo/.build/release/Todo
	swift build --package-path Examples/HelpDesk --product HelpDesk
	@Scripts/with-postgresql.sh python3 -B Tests/OutsidePackage/help_desk.py Examples/HelpDesk/.build/debug/HelpDesk
	swift build --package-path Examples/Bucket --product Bucket
	@"$$(Scripts/python-environment.sh Tests/OutsidePackage)/bin/python" -B Tests/OutsidePackage/bucket.py Examples/Bucket/.build/debug/Bucket

test-new: $(DEBUG_SERVER) ## what `euripus new` makes: two packages that depend on a tagged repository, built, tested and run
	@Scripts/install-packages.sh curl git python3
	@python3 -B Tests/OutsidePackage/new_package.py $(DEBUG_SERVER)

test-dev: $(DEBUG_SERVER) ## the story of `euripus dev` in Chromium: an edit, a mistake, a trap, a kill, a style; with a table of times. ARGS=--timed judges them
	@Scripts/install-packages.sh $(STORY_PACKAGES)
	@"$$(Scripts/python-environment.sh Tests/Browser)/bin/python" -B Tests/Develop/story.py $(ARGS) $(DEBUG_SERVER)

bench: build ## measure the server beside others, 20 minutes: Benchmarks/results/server.md; options: make bench ARGS=--quick
	@Scripts/install-packages.sh $(BENCH_PACKAGES)
	@Scripts/fetch-nginx.sh .build/bench/nginx
	@# SwiftPM does not always see that a type which these sources use has a new size. Without a rebuild they would crash.
	@find $(VIEW_MODEL_BENCHMARK)/Sources -name '*.swift' -exec touch {} +
	swift build --package-path $(VIEW_MODEL_BENCHMARK) -c release --product GrowingServer $(RELEASE_FLAGS) $(SWIFT_FLAGS)
	swift build --package-path $(VIEW_MODEL_BENCHMARK) -c release --product TableServer $(RELEASE_FLAGS) $(SWIFT_FLAGS)
	swift build --package-path $(HUMMINGBIRD_BENCHMARK) -c release $(RELEASE_FLAGS) $(SWIFT_FLAGS)
	@python3 $(SERVER_BENCHMARK)/bench.py $(ARGS)

test-bench: ## the tests of what that benchmark reckons with: the least patch, the client that measures, the plots
	@Scripts/install-packages.sh $(BENCH_PACKAGES)
	@python3 -B $(SERVER_BENCHMARK)/bench.py --help > /dev/null
	@Scripts/test-python.sh $(SERVER_BENCHMARK)

bench-core: set-up ## measure the observable core beside OpenCombine and Observation; options: make bench-core ARGS="--case broad"
	swift build --package-path $(CORE_BENCHMARK) -c release --product core-benchmark $(RELEASE_FLAGS) $(SWIFT_FLAGS)
	@mkdir -p Benchmarks/results
	$(CORE_BENCHMARK)/.build/release/core-benchmark $(or $(ARGS),--json Benchmarks/results/core.json)

bench-client: set-up ## time lists in Chromium beside Vue and plain JavaScript; options: make bench-client ARGS=3
	@Scripts/install-packages.sh chromium python3-venv
	@"$$(Scripts/python-environment.sh Tests/Browser)/bin/python" Benchmarks/Client/bench.py $(ARGS)

test-bench-core: set-up ## the tests of that benchmark's shapes
	swift test --package-path $(CORE_BENCHMARK) --quiet

bench-view-models: set-up ## measure what a refresh of 1,000 modules costs, and one changed row of 100,000
	swift run --package-path $(VIEW_MODEL_BENCHMARK) -c release ViewModelCosts

bench-store: set-up ## measure the store of sessions: commits, opening, bytes a session; options: make bench-store ARGS=/a/directory
	swift build -c release --product StoreBenchmark $(SWIFT_FLAGS)
	.build/release/StoreBenchmark $(or $(ARGS),.build/store)

dockerfile-check: $(DEBUG_SERVER) ## run the steps of the Dockerfiles, the guide's and a new package's too, without a Docker engine (root, Debian)
	Scripts/test-dockerfile.sh $(DEBUG_SERVER) $(ARGS)

compose-check: $(DEBUG_SERVER) ## run docker-compose.yml's steps without a Docker engine (root, Debian)
	Scripts/test-compose.sh $(DEBUG_SERVER)

clean: ## remove what was built
	rm -rf .build .build-address .build-thread $(CORE_BENCHMARK)/.build $(VIEW_MODEL_BENCHMARK)/.build $(HUMMINGBIRD_BENCHMARK)/.build Examples/*/.build Examples/Clients/*/.build Templates/*/.build .venv

# The server that the transcript and the browser talk to. The Swift tests have built it anyway. SwiftPM knows best
# whether it is up to date, so it is asked each time.
$(DEBUG_SERVER): set-up FORCE
	swift build --product euripus $(SWIFT_FLAGS)

$(GATEHOUSE) $(EXAMPLES) $(TEMPLATES): set-up FORCE
	swift build --product $(@F) $(SWIFT_FLAGS)

.PHONY: FORCE
FORCE:

# A Swift on the PATH may still lack the libraries that it needs to say its version.
set-up:
	@command -v swift >/dev/null || Scripts/require-swift.sh
	@Scripts/install-packages.sh $(BUILD_PACKAGES)
	@Scripts/require-swift.sh
