"""The project file: schema, migrations, repository."""
