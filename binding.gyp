{
  # A thin forward to CMakeLists.txt, for tools that look for this file: `node-gyp rebuild` runs `cmake-js build`.
  'targets': [
    {
      'target_name': 'lantang',
      'type': 'none',
      'actions': [
        {
          'action_name': 'cmake',
          'inputs': ['CMakeLists.txt'],
          'outputs': ['<(module_root_dir)/build/Release/lantang.node'],
          'action': ['npx', '--no-install', 'cmake-js', 'build'],
        },
      ],
    },
  ],
}
