# UNTESTED: nobody has run this recipe, and the engine's workers have been tried on Linux alone.
# Makes dist/Tunewright.app of dist/tunewright, which PyInstaller makes of tunewright.spec.
#   pyinstaller packaging/tunewright.spec && VERSION=0.1.0 sh packaging/macos/bundle.sh
set -eu
cd "$(dirname "$0")/../.."

app=dist/Tunewright.app
mkdir -p "$app/Contents/MacOS" "$app/Contents/Resources"
cp -R dist/tunewright/. "$app/Contents/MacOS/"
printf '#!/bin/sh\nexec "$(dirname "$0")/tunewright" gui "$@"\n' >"$app/Contents/MacOS/start"
chmod +x "$app/Contents/MacOS/start"
cat >"$app/Contents/Info.plist" <<EOF
<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict>
  <key>CFBundleName</key><string>Tunewright</string>
  <key>CFBundleIdentifier</key><string>invalid.tunewright</string>
  <key>CFBundleExecutable</key><string>start</string>
  <key>CFBundleShortVersionString</key><string>${VERSION:?}</string>
  <key>CFBundlePackageType</key><string>APPL</string>
  <key>CFBundleDocumentTypes</key><array><dict>
    <key>CFBundleTypeName</key><string>Tunewright project</string>
    <key>CFBundleTypeExtensions</key><array><string>tune</string></array>
    <key>CFBundleTypeRole</key><string>Editor</string>
  </dict></array>
</dict></plist>
EOF
