# shellcheck shell=sh
# Steps that go on after one has failed; to be sourced. `log` is the folder of what they say.

# begin_steps FOLDER
begin_steps() {
    log=$1
    mkdir -p "$log"
    : >"$log/summary"
}

# step NAME COMMAND...: runs it, shows and keeps what it says, notes time and outcome
step() {
    name=$1
    shift
    printf '\n==> %s: %s\n' "$name" "$*"
    start=$(date +%s)
    { "$@" 2>&1; echo $? >"$log/$name.code"; } | tee "$log/$name.log"
    outcome=passed
    [ "$(cat "$log/$name.code")" -eq 0 ] || outcome=FAILED
    printf '%-10s %-7s %5d s\n' "$name" "$outcome" $(($(date +%s) - start)) >>"$log/summary"
}

# end_steps: all steps, one a line; fails if one did
end_steps() {
    echo
    cat "$log/summary"
    ! grep -q ' FAILED ' "$log/summary"
}
