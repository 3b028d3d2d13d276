# Port of vcpkg: the libraries that compute. The command needs UDUNITS-2, which vcpkg does not have.
vcpkg_check_linkage(ONLY_STATIC_LIBRARY)
vcpkg_download_distfile(archive
  URLS "@ADDRESS@/stoss-${VERSION}.tar.gz"
  FILENAME "stoss-${VERSION}.tar.gz"
  SHA512 @SHA512@)
vcpkg_extract_source_archive(source ARCHIVE "${archive}")
vcpkg_cmake_configure(SOURCE_PATH "${source}"
  OPTIONS -DSTOSS_BUILD_COMMAND=OFF -DSTOSS_TESTS=OFF -DSTOSS_EXAMPLES=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME stoss CONFIG_PATH lib/cmake/stoss)
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${source}/LICENSE")
