; UNTESTED: nobody has run this recipe, and TVM's wheel for Windows has not been tried.
; Inno Setup: makes an installer of dist\tunewright, which PyInstaller makes of tunewright.spec.
;   pyinstaller packaging\tunewright.spec
;   iscc /DVersion=0.1.0 packaging\windows\tunewright.iss

#ifndef Version
  #error Give the version: /DVersion=...
#endif

[Setup]
AppName=Tunewright
AppVersion={#Version}
AppId=Tunewright
DefaultDirName={autopf}\Tunewright
DefaultGroupName=Tunewright
PrivilegesRequired=lowest
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
ChangesAssociations=yes
LicenseFile=..\..\LICENSE
OutputDir=..\..\dist
OutputBaseFilename=tunewright-{#Version}-setup

[Files]
Source: "..\..\dist\tunewright\*"; DestDir: "{app}"; Flags: recursesubdirs

[Icons]
Name: "{group}\Tunewright"; Filename: "{app}\tunewright.exe"; Parameters: "gui"

[Registry]
Root: HKA; Subkey: "Software\Classes\.tune"; ValueType: string; ValueData: "Tunewright.Project"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\Tunewright.Project"; ValueType: string; ValueData: "Tunewright project"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\Tunewright.Project\shell\open\command"; ValueType: string; ValueData: """{app}\tunewright.exe"" gui ""%1"""
Root: HKA; Subkey: "Software\Classes\.onnx\OpenWithProgids"; ValueType: string; ValueName: "Tunewright.Project"; Flags: uninsdeletevalue
