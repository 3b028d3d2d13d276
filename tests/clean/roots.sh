# shellcheck shell=sh
# Empty Debian roots for the scripts of this folder; to be sourced. A script that opens roots calls `own_mounts "$@"` first.
# `clean` is the folder of all roots; `DEBIAN_MIRROR` names another archive of Debian.

clean=${STOSS_CLEAN:-/var/tmp/stoss-clean}
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
newcomer=newcomer  # the user in the roots: may call sudo, and nothing else

# Starts the script again where its mounts and processes are its own: both are gone when it ends. One script at a time: they
# share the packages that were fetched.
own_mounts() {
    [ "$(id -u)" -eq 0 ] || { echo "$0: a root for Debian can be made by root only" >&2; exit 2; }
    mkdir -p "$clean"
    [ -n "${STOSS_OWN_MOUNTS:-}" ] ||
        exec env STOSS_OWN_MOUNTS=1 flock "$clean/lock" unshare --mount --pid --fork --kill-child --mount-proc "$0" "$@"
}

# debian_root FOLDER [PACKAGES]: an empty Debian 12, with PACKAGES (a,b,...), made once. One that broke off is made anew:
# debootstrap removes its own folder in it only when it is done.
debian_root() {
    [ ! -d "$1/debootstrap" ] || rm -rf --one-file-system "${1:?}"
    [ ! -d "$1/usr/bin" ] || return 0
    mkdir -p "$1"
    debootstrap --variant=minbase ${2:+"--include=$2"} bookworm "$1" "$mirror" >"$1.log"
}

# $clean/base: Debian 12 with git and sudo, which whoever clones Stoss and installs packages has. Made once.
base_root() {
    [ ! -f "$clean/base.done" ] || return 0
    rm -rf "$clean/base"
    mkdir -p "$clean/base" "$clean/apt/partial"
    echo "$0: an empty Debian 12 from $mirror" >&2
    debootstrap --variant=minbase --include=ca-certificates,git,sudo bookworm "$clean/base" "$mirror" \
        >"$clean/base.log" 2>&1 || { tail -n 20 "$clean/base.log" >&2; exit 1; }
    echo force-unsafe-io >"$clean/base/etc/dpkg/dpkg.cfg.d/unsafe-io"  # nobody needs the root after a power cut
    chroot "$clean/base" useradd --create-home --shell /bin/sh $newcomer
    echo "$newcomer ALL=(ALL) NOPASSWD: ALL" >"$clean/base/etc/sudoers.d/$newcomer"
    touch "$clean/base.done"
}

# open_root NAME: sets `root`, a copy of the base that is written to without changing it. Packages are fetched once for all.
# Where the network has an authority for certificates of its own, NODE_EXTRA_CA_CERTS names the file that npm needs.
open_root() {
    root=$clean/$1/root
    rm -rf "${clean:?}/$1"
    mkdir -p "$root" "$clean/$1/upper" "$clean/$1/work" "$clean/apt/partial"
    mount -t overlay overlay -o "lowerdir=$clean/base,upperdir=$clean/$1/upper,workdir=$clean/$1/work" "$root" 2>/dev/null ||
        cp -a "$clean/base/." "$root"
    mount -t proc proc "$root/proc"
    # Every machine has terminals, and memory that processes share.
    mkdir -p "$root/dev/pts" "$root/dev/shm"
    mount -t tmpfs tmpfs "$root/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
    ln -sf pts/ptmx "$root/dev/ptmx"
    mount --bind "$clean/apt" "$root/var/cache/apt/archives"
    [ -z "${NODE_EXTRA_CA_CERTS:-}" ] || cp "$NODE_EXTRA_CA_CERTS" "$root/etc/network_certificates.pem"
}

# share FOLDER PLACE: a folder of this machine, seen and written to in the root.
share() {
    mkdir -p "$1" "$root$2"
    mount --bind "$1" "$root$2"
}

# use_cache FOLDER: a folder of ccache, which then belongs to the newcomer; without FOLDER nothing.
use_cache() {
    [ -n "$1" ] || return 0
    share "$1" /ccache
    CCACHE_DIR=/ccache
    # shellcheck disable=SC2016  # the inner shell expands them
    chroot "$root" sh -c 'apt-get update -q && apt-get install -y -q --no-install-recommends ccache &&
        chown -R "$0:" /ccache' $newcomer
}

# close_root NAME: nothing of it remains.
close_root() {
    umount --recursive "$clean/$1/root" 2>/dev/null || umount --lazy --recursive "$clean/$1/root"
    rm -rf "${clean:?}/$1"
}

# put_clone SOURCE: the last commit of SOURCE, with its history, as the newcomer's folder ~/stoss.
put_clone() {
    git clone --quiet "file://$1" "$root/home/$newcomer/stoss"
    chroot "$root" chown -R $newcomer:$newcomer "/home/$newcomer/stoss"
}

# inside [--offline] COMMAND...: as the newcomer, in the folder of the clone, with few variables of this machine; in a network
# of its own, with nothing in it.
inside() {
    net=
    [ "$1" != --offline ] || { net="unshare --net"; shift; }
    # shellcheck disable=SC2016,SC2086  # the inner shell expands them; a list of words
    $net chroot --userspec=$newcomer:$newcomer "$root" env -i HOME=/home/$newcomer USER=$newcomer LANG=C.UTF-8 TERM=dumb \
        PATH=/usr/local/bin:/usr/bin:/bin ${CXXFLAGS:+"CXXFLAGS=$CXXFLAGS"} ${CCACHE_DIR:+"CCACHE_DIR=$CCACHE_DIR"} \
        ${NODE_EXTRA_CA_CERTS:+"NODE_EXTRA_CA_CERTS=/etc/network_certificates.pem"} \
        ${DEB_BUILD_OPTIONS:+"DEB_BUILD_OPTIONS=$DEB_BUILD_OPTIONS"} \
        sh -c 'cd ~/stoss && exec "$@"' inside "$@" </dev/null
}

# installed_size: of all packages in the root, kB, as Debian tells it.
installed_size() {
    chroot "$root" dpkg-query -W -f '${db:Status-Status} ${Installed-Size}\n' |
        awk '$1 == "installed" { sum += $2 } END { print sum }'
}
